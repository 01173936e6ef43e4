CREATE TABLE `orders` (
  `amount` FLOAT NOT NULL
);
