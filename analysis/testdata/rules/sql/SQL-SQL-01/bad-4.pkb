-- Oracle
CREATE OR REPLACE PACKAGE BODY admin AS
  PROCEDURE drop_it(p_name IN VARCHAR2) IS
    v_sql VARCHAR2(200);
  BEGIN
    v_sql := q'[DROP TABLE ]' || p_name;
    EXECUTE IMMEDIATE v_sql; -- ← here
  END;

  FUNCTION count_of(p_table VARCHAR2, p_where VARCHAR2 DEFAULT '1 = 1') RETURN NUMBER IS
    c SYS_REFCURSOR;
    n NUMBER;
  BEGIN
    IF p_where = 'all' THEN
      EXECUTE IMMEDIATE 'SELECT 1 FROM t WHERE x = ' || p_where;
    ELSE
      OPEN c FOR 'SELECT count(*) FROM t WHERE ' || p_where; -- ← here
    END IF;
    RETURN n;
  END;
END admin;
/
CREATE OR REPLACE TRIGGER log_it AFTER INSERT ON accounts FOR EACH ROW
BEGIN
  EXECUTE IMMEDIATE 'INSERT INTO log VALUES (''' || :new.name || ''')'; -- ← here
END;
/
