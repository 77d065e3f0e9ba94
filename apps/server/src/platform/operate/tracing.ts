import { hostname } from 'node:os';
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Config } from '../config/config.ts';

export { SpanKind } from '@opentelemetry/api';

type TracingConfig = Pick<
  Config,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_TRACES_SAMPLER_ARG'
>;

/** Parent of a trace that continues in another process, in the form of W3C Trace Context. */
export interface TraceParent {
  traceparent?: string;
}

interface SpanOptions {
  kind?: SpanKind;
  /** Ids, counts and words of ours; never message texts, phone numbers or addresses. */
  attributes?: Attributes;
  /** Start of the trace; unset: the present span. */
  parent?: Context;
}

let isOn = false;
const NAME = 'heliograph';

/**
 * Sends traces by OTLP over HTTP if OTEL_EXPORTER_OTLP_ENDPOINT is set. The SDK is loaded only then; without it every
 * function here does nothing. `stop` sends the remaining traces.
 */
export async function startTracing(
  config: TracingConfig,
  process: string,
): Promise<{ stop(): Promise<void> } | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }, { AsyncLocalStorageContextManager }, core] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
    ]);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    ...(config.OTEL_EXPORTER_OTLP_HEADERS && { headers: config.OTEL_EXPORTER_OTLP_HEADERS }),
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': NAME,
      'service.name': `${NAME}-${process}`,
      'service.instance.id': `${hostname()}:${globalThis.process.pid}`,
      'host.name': hostname(),
      'process.pid': globalThis.process.pid,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
    // Spans beyond those that wait for the collector are dropped: nothing waits for it.
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000, maxQueueSize: 8_192 })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  isOn = true;
  return {
    async stop() {
      isOn = false;
      await provider.shutdown();
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

/** Whether traces are sent at all. */
export const isTracing = (): boolean => isOn;

/** Begins a span that the caller ends, for work that is not one function. Undefined if tracing is off. */
export function beginSpan(name: string, { parent, ...options }: SpanOptions = {}): Span | undefined {
  return isOn ? trace.getTracer(NAME).startSpan(name, options, parent ?? context.active()) : undefined;
}

/** Runs work under a span: its own spans and log lines belong to that span. */
export function under<T>(span: Span, work: () => T): T {
  return context.with(trace.setSpan(context.active(), span), work);
}

/** Runs work as a span, which ends with the work and records its failure. If tracing is off, only the work runs. */
export async function traced<T>(name: string, options: SpanOptions, work: (span?: Span) => Promise<T>): Promise<T> {
  const span = beginSpan(name, options);
  if (!span) return work();
  try {
    return await under(span, () => work(span));
  } catch (error) {
    failed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Records that a span's work failed. Only the error's code or name is used, because messages may quote private data.
 */
export function failed(span: Span, error: unknown): void {
  const { code, name } = error as { code?: unknown; name?: string };
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Answers the carrier with which another process continues this trace; empty if tracing is off. */
export function traceParent(): TraceParent {
  const carrier: TraceParent = {};
  if (isOn) propagation.inject(context.active(), carrier);
  return carrier;
}

/** Answers the context that `traceParent` described in another process. */
export const parentFrom = (carrier: TraceParent): Context =>
  isOn ? propagation.extract(ROOT_CONTEXT, carrier) : ROOT_CONTEXT;

/** Answers the ids of the present trace for a line of the log; empty if tracing is off. */
export function traceIds(): { trace_id?: string; span_id?: string } {
  const span = isOn ? trace.getActiveSpan()?.spanContext() : undefined;
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
