-- SQL Server
CREATE PROCEDURE dbo.FindOrders @table sysname, @customer nvarchar(100), @sort varchar(20) AS
BEGIN
  IF @sort NOT IN ('name', 'age') THROW 50000, 'unknown order', 1;
  IF OBJECT_ID(@table) IS NULL RETURN
  DECLARE @sql nvarchar(max) = N'SELECT * FROM orders WHERE customer = @customer ORDER BY ' + @sort
  EXEC sp_executesql @sql, N'@customer nvarchar(100)', @customer = @customer
  EXEC('DROP TABLE ' + QUOTENAME(@customer))
  EXEC('SELECT * FROM t WHERE name = ''' + REPLACE(@customer, '''', '''''') + '''')
  EXEC dbo.Other @customer, 'it''s'
END
GO
CREATE PROCEDURE dbo.Ping AS EXEC('SELECT 1')
GO
