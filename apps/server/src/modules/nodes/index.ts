import { drainNode, nodes, resumeNode } from '@heliograph/contract/nodes/node';
import { type App, mount } from '#platform/http/http';
import { askNode, nodePage } from './list-nodes.ts';

export { KeptNode, punctualPool } from './kept-node.ts';
export { OwnNode } from './own-node.ts';

/** Mounts the list of processes, and the calls with which an operator drains or resumes one. */
export function mountNodes(app: App): void {
  mount(app, nodes, (ctx, { query }) => nodePage(ctx, query));
  mount(app, drainNode, (ctx, { params }) => askNode(true)(ctx, params.id));
  mount(app, resumeNode, (ctx, { params }) => askNode(false)(ctx, params.id));
}
