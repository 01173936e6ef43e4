-- PostgreSQL
CREATE OR REPLACE FUNCTION drop_table(p_table text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  n int;
BEGIN
  EXECUTE 'DROP TABLE ' || p_table; -- ← here
  EXECUTE format('SELECT count(*) FROM %s WHERE name = %L', p_table, p_table) INTO n; -- ← here
END;
$$;

CREATE FUNCTION rows_of(name text, VARIADIC columns text[]) RETURNS SETOF record AS $body$
DECLARE
  query text := 'SELECT ';
BEGIN
  query := query || array_to_string(columns, ', ');
  RETURN QUERY EXECUTE query || ' FROM ' || quote_ident(name); -- ← here
END
$body$ LANGUAGE plpgsql;

CREATE FUNCTION old_style(text) RETURNS void AS '
BEGIN
  EXECUTE ''TRUNCATE '' || $1; -- ← here
END' LANGUAGE plpgsql;
