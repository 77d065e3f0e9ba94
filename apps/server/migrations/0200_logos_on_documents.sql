-- Workers print the logo of a reseller on its documents.
GRANT SELECT ON reseller_image TO heliograph_worker;
