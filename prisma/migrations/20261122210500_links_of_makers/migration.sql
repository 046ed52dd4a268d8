-- A link goes with its maker. Without a maker it would count as made on the command line.
ALTER TABLE invitation DROP CONSTRAINT invitation_created_by_fkey;
ALTER TABLE invitation ADD CONSTRAINT invitation_created_by_fkey FOREIGN KEY (created_by) REFERENCES member ON DELETE CASCADE;
