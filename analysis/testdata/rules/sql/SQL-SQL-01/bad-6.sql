-- SQL Server
CREATE PROC Report @filter nvarchar(200) AS
  DECLARE @sql nvarchar(max)
  SET @sql = N'SELECT * FROM orders WHERE ' + @filter
  SET @sql += N' ORDER BY 1'
  EXEC @done = sys.sp_executesql @stmt = @sql -- ← here
GO
-- Oracle
CREATE PROCEDURE parse_it(p_sql VARCHAR2) IS
  c INTEGER := DBMS_SQL.OPEN_CURSOR;
BEGIN
  DBMS_SQL.PARSE(c, 'SELECT ' || p_sql, DBMS_SQL.NATIVE); -- ← here
END;
/
