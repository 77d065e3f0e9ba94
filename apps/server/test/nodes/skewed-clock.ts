// Loaded before a process: sets the clock of its host five minutes ahead. The monotonic clock stays unchanged.
const AHEAD_MS = 300_000;
const RealDate = Date;
const ahead = () => RealDate.now() + AHEAD_MS;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, made) =>
    Reflect.construct(target, values.length === 0 ? [ahead()] : values, made === globalThis.Date ? target : made),
  apply: () => new RealDate(ahead()).toString(),
  get: (target, key) => (key === 'now' ? ahead : Reflect.get(target, key)),
});
