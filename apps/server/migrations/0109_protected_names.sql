-- Names that nobody gets without a decision of the platform: brands, banks and words of the government. They are kept by
-- the operator, who may add, change and remove them.
CREATE TABLE protected_name (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  action text NOT NULL DEFAULT 'hold' CHECK (action IN ('hold', 'refuse')),
  kind text NOT NULL DEFAULT 'brand' CHECK (kind IN ('brand', 'bank', 'government', 'word')),
  signs text[] NOT NULL GENERATED ALWAYS AS (signing_names(name)) STORED, -- forms in which it is looked for
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX protected_name_name_key ON protected_name (name_skeleton(name));
ALTER TABLE protected_name ENABLE ROW LEVEL SECURITY;
ALTER TABLE protected_name FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON protected_name TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON protected_name TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON protected_name TO heliograph_api;
GRANT SELECT ON protected_name TO heliograph_worker;
GRANT USAGE ON SEQUENCE protected_name_id_seq TO heliograph_api;

-- Forms of a sender ID in which a protected name is looked for: the whole, its words, and without digits and usual words
-- at its end.
CREATE FUNCTION sender_forms(candidate text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  WITH tag (words) AS (
    SELECT string_agg(name_skeleton(w), '|') FROM unnest(ARRAY['alert', 'alerts', 'info', 'bank', 'banking', 'otp', 'promo',
      'promos', 'news', 'ph', 'phil', 'online', 'pay', 'care', 'help', 'verify', 'secure', 'security', 'update', 'updates',
      'gov', 'official', 'team', 'support', 'service', 'svc', 'app', 'card', 'cards', 'loan', 'loans', 'rewards']) AS w
  ), words (word) AS (
    SELECT unnest(regexp_split_to_array(regexp_replace(candidate, '([[:lower:]])([[:upper:]])', '\1 \2', 'g'), '[\s._&/+:;,*#()-]+'))
  )
  SELECT array_agg(DISTINCT form) FILTER (WHERE form <> '') FROM (
    SELECT name_skeleton(candidate) AS form
    UNION ALL SELECT name_skeleton(replace(candidate, '£', 'L'))
    UNION ALL SELECT name_skeleton(regexp_replace(candidate, '[0-9]+$', ''))
    UNION ALL SELECT regexp_replace(name_skeleton(candidate), '(' || words || ')+$', '') FROM tag
    UNION ALL SELECT regexp_replace(name_skeleton(candidate), '^(my|the|get)', '')
    UNION ALL SELECT name_skeleton(word) FROM words
  ) f
);

-- The protected name that a sender ID is, contains or looks like; the strictest, if several are.
CREATE FUNCTION protected_name_like(candidate text) RETURNS TABLE (name text, action text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  WITH asked AS MATERIALIZED (SELECT sender_forms(candidate) AS forms, name_skeleton(candidate) || ' ' || name_skeleton(replace(candidate, '£', 'L')) AS whole)
  SELECT p.name, p.action FROM asked, protected_name p
  WHERE p.signs && asked.forms
    OR EXISTS (SELECT FROM unnest(p.signs) AS s WHERE length(s) > 4 AND position(s IN asked.whole) > 0)
  ORDER BY p.action = 'refuse' DESC, length(p.name) DESC, p.id LIMIT 1;
$$;
REVOKE EXECUTE ON FUNCTION protected_name_like(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION protected_name_like(text) TO heliograph_api, heliograph_worker;

INSERT INTO protected_name (kind, name)
SELECT DISTINCT ON (name_skeleton(n)) kind, n FROM (
  SELECT 'bank', unnest(ARRAY['BDO', 'BDO Unibank', 'BPI', 'Metrobank', 'Landbank', 'LBP', 'PNB', 'UnionBank', 'Security Bank',
    'RCBC', 'China Bank', 'EastWest', 'DBP', 'PSBank', 'UCPB', 'AUB', 'Maybank', 'HSBC', 'Citi', 'Citibank', 'CIMB', 'GoTyme',
    'Tonik', 'UNO Bank', 'UnionDigital', 'SeaBank', 'MariBank', 'OwnBank', 'Komo', 'GCash', 'Maya', 'PayMaya', 'GrabPay',
    'ShopeePay', 'Coins.ph', 'PayPal', 'Visa', 'Mastercard', 'InstaPay', 'PESONet', 'Cebuana', 'Palawan', 'MLhuillier',
    'Western Union', 'Home Credit', 'BillEase', 'Atome'])
  UNION ALL SELECT 'government', unnest(ARRAY['SSS', 'GSIS', 'PhilHealth', 'Pag-IBIG', 'HDMF', 'BIR', 'DOH', 'DepEd', 'CHED',
    'TESDA', 'DSWD', '4Ps', 'DOLE', 'DMW', 'OWWA', 'POEA', 'DFA', 'DILG', 'DTI', 'DICT', 'CICC', 'NTC', 'BSP', 'SEC', 'NBI',
    'PNP', 'AFP', 'PDEA', 'BFP', 'LTO', 'LTFRB', 'MMDA', 'COMELEC', 'PSA', 'PhilSys', 'PhilID', 'NDRRMC', 'PAGASA',
    'PHIVOLCS', 'PCSO', 'PAGCOR', 'PhilPost', 'PHLPost', 'LandTransportation', 'Senado', 'Senate', 'Malacanang', 'eGovPH',
    'GovPH', 'Immigration', 'Customs'])
  UNION ALL SELECT 'brand', unnest(ARRAY['Globe', 'Smart', 'DITO', 'TNT', 'TM', 'Sun', 'PLDT', 'Converge', 'Sky', 'GOMO',
    'Meralco', 'Maynilad', 'Manila Water', 'Petron', 'Shell', 'Caltex', 'Lazada', 'Shopee', 'Grab', 'Foodpanda', 'Angkas',
    'Lalamove', 'LBC', 'J&T', 'Ninja Van', 'Jollibee', 'Mercury', 'Watsons', 'SM', 'Puregold', 'Robinsons', 'Ayala',
    'San Miguel', 'Cebu Pacific', 'PAL', 'AirAsia', 'Google', 'Facebook', 'Meta', 'Messenger', 'Instagram', 'WhatsApp',
    'Viber', 'Telegram', 'TikTok', 'Apple', 'iCloud', 'Microsoft', 'Netflix', 'Spotify', 'Amazon', 'Samsung', 'Twitter',
    'Zalo', 'WeChat', 'Binance', 'Coinbase', 'DHL', 'FedEx', 'UPS'])
  UNION ALL SELECT 'word', unnest(ARRAY['OTP', 'Verify', 'Police', 'Pulis', 'Gobyerno', 'Government', 'Emergency', '911', 'Admin',
    'Ayuda', 'Bangko', 'Bank', 'Security', 'Alert'])
) AS kept (kind, n) ORDER BY name_skeleton(n), kind;
