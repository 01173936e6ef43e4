-- MySQL
DELIMITER //
CREATE PROCEDURE pay(IN who VARCHAR(64), IN cents INT)
BEGIN
  IF NOT who REGEXP "^[a-z]+$" THEN SIGNAL SQLSTATE '45000'; END IF;
  SET @sql = CONCAT('UPDATE accounts SET balance = balance - ', cents, ' WHERE name = ?');
  PREPARE statement FROM @sql;
  EXECUTE statement USING who;
  SET @other = CONCAT('SELECT * FROM t WHERE name = ', QUOTE(who));
  PREPARE other FROM @other;
END//
DELIMITER ;
INSERT INTO notes VALUES ('it\'s', "a 'quote'");
