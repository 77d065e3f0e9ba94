-- How the columns of an uploaded file were read: [{"name": "Mobile No.", "field": "number"}, …], null until it is known.
ALTER TABLE import ADD COLUMN columns jsonb;
ALTER TABLE bulk_upload ADD COLUMN columns jsonb;
