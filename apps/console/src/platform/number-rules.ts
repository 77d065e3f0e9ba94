import { numberValidationRules } from '@heliograph/contract/identity/session';
import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import { useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { useSession } from './session.ts';

/** Returns the operator's rules for numbers; undefined until they are loaded. */
export function useNumberRules(): NumberRules | undefined {
  const kept = useSession((s) => s.numberRules);
  const rules = useQuery({
    queryKey: ['number-rules'],
    queryFn: ({ signal }) => call(numberValidationRules, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: kept === null,
  });
  return kept ?? rules.data;
}
