import { Mark } from '@mantine/core';

/** Number with the digits marked by which its price was found. */
export function NumberWithPrefix({ number, prefix }: { number: string; prefix: string | null }) {
  if (prefix === null || !number.startsWith(prefix)) return <span>{number}</span>;
  return (
    <span>
      <Mark>{prefix}</Mark>
      {number.slice(prefix.length)}
    </span>
  );
}
