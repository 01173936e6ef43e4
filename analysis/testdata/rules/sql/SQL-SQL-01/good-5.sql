-- PostgreSQL, with commands of its client and rows of a dump.
\echo it's loaded
COPY notes (id, text) FROM stdin;
1	it's a note
2	another 'quoted' one
\.

CREATE FUNCTION old_style(text) RETURNS void AS '
BEGIN
  EXECUTE ''NOTIFY notes, $1'';
END' LANGUAGE plpgsql;

CREATE FUNCTION sorted(p_order text, p_name text) RETURNS SETOF notes LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE 'SELECT * FROM notes ORDER BY id '
    || CASE upper(p_order) WHEN 'DESC' THEN 'DESC' ELSE 'ASC' END;
  EXECUTE 'TRUNCATE log_' || regexp_replace(p_name, '[^a-z]', '', 'g');
END $$;
