-- People who see only their own records see only top-ups and vouchers of their own.
ALTER POLICY caller ON top_up USING (
  ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
  AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user())));
ALTER POLICY caller ON top_up_return USING (top_up_id IN (SELECT id FROM top_up));
ALTER POLICY caller ON voucher_batch USING (
  ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
  AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user())));
