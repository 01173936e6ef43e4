-- PostgreSQL
DO $outer$
BEGIN
  CREATE FUNCTION inner_one(name text) RETURNS void AS $x$ BEGIN
    EXECUTE 'TRUNCATE ' || name; -- ← here
  END $x$ LANGUAGE plpgsql;
END
$outer$;

CREATE FUNCTION several(names text[], wanted text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text;
  list text;
BEGIN
  FOREACH name IN ARRAY names LOOP
    EXECUTE 'TRUNCATE ' || name; -- ← here
  END LOOP;
  EXECUTE 'SELECT ' || (SELECT string_agg(c, ',') FROM unnest(names) AS c) || ' FROM t'; -- ← here
  SELECT lower(wanted) INTO list;
  EXECUTE 'SELECT ' || list; -- ← here
END $$;
