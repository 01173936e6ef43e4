-- Oracle
CREATE PROCEDURE note_it(p_name VARCHAR2) IS
BEGIN
  EXECUTE IMMEDIATE q'[CALL it's || p_name || 's]';
END;
/
