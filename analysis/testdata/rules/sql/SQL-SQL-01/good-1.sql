-- PostgreSQL
CREATE OR REPLACE FUNCTION drop_table(p_table text, p_days int, p_order text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  direction text := CASE WHEN p_order = 'desc' THEN 'DESC' ELSE 'ASC' END;
  r record;
BEGIN
  EXECUTE format('DROP TABLE %I', p_table);
  EXECUTE 'DROP TABLE ' || quote_ident(p_table);
  EXECUTE 'DELETE FROM log WHERE age > ' || p_days || ' AND name = ' || quote_literal(p_table);
  EXECUTE 'DELETE FROM log WHERE name = $1' USING p_table;
  EXECUTE 'SELECT * FROM log ORDER BY age ' || direction;
  EXECUTE 'DROP TABLE ' || p_table::regclass;
  EXECUTE 'SELECT ' || (SELECT string_agg(quote_ident(c), ',') FROM unnest(string_to_array(p_table, ',')) AS c);
  FOR r IN SELECT tablename FROM pg_tables LOOP
    EXECUTE 'ANALYZE ' || r.tablename;
  END LOOP;
END;
$$;

CREATE TRIGGER changed BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION touch('accounts');
GRANT EXECUTE ON FUNCTION drop_table(text, int, text) TO admin;
