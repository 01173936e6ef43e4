-- SQL Server
CREATE PROCEDURE dbo.FindOrders
  @table sysname,
  @customer nvarchar(100) = NULL,
  @limit int = 10
AS
BEGIN
  SET NOCOUNT ON
  DECLARE @sql nvarchar(max) = N'SELECT TOP ' + CAST(@limit AS nvarchar(10)) + N' * FROM orders WHERE 1 = 1'
  IF @customer IS NOT NULL
    SET @sql += N' AND customer = ''' + @customer + N''''
  EXEC sp_executesql @sql -- ← here
  EXEC('DROP TABLE ' + @table) -- ← here
END
GO
ALTER PROC [dbo].[Run] (@statement varchar(max)) AS
  EXECUTE (@statement) -- ← here
GO
