-- MySQL
DELIMITER $$
CREATE DEFINER=`root`@`localhost` PROCEDURE empty_table(IN name VARCHAR(64), IN days INT)
BEGIN
  SET @sql = CONCAT('DELETE FROM ', name, ' WHERE age > ', days);
  PREPARE statement FROM @sql; -- ← here
  EXECUTE statement;
  DEALLOCATE PREPARE statement;
END$$
DELIMITER ;
