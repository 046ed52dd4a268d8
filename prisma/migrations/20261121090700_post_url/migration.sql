-- Finds a post by the address people paste, which is most often its page and not its uri (GET /lookup). Hashed:
-- addresses are only compared for being the same, and a hash has room for any length.
CREATE INDEX post_url_idx ON post USING hash (url);
