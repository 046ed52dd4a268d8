-- The secret in the addresses of feeds, encrypted with ENCRYPTION_KEY, so that they outlive a rotation of the key. Null until
-- the first start; then it is the secret that was derived from the key before.
ALTER TABLE installation ADD COLUMN feed_secret bytea;
