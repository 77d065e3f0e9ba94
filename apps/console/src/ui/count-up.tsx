import { useReducedMotion } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

/** Time in which a figure reaches its new value, in ms. */
const COUNT_MS = 400;

/**
 * Figure that counts up or down to its new value when it changes. The first value is shown without counting, and so is
 * every value for a person who prefers reduced motion.
 */
export function CountUp({ of, write }: { of: number; write: (value: number) => string }) {
  const still = useReducedMotion(undefined, { getInitialValueInEffect: false });
  const [shown, setShown] = useState(of);
  const reached = useRef(of);
  useEffect(() => {
    const start = reached.current;
    const show = (value: number) => {
      reached.current = value;
      setShown(value);
    };
    // A page in the background gets no frames.
    if (still || document.hidden) return show(of);
    if (start === of) return undefined;
    const begin = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const part = Math.min(1, Math.max(0, now - begin) / COUNT_MS);
      show(Math.round(start + (of - start) * (1 - (1 - part) ** 3)));
      if (part < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [of, still]);
  return write(still ? of : shown);
}
