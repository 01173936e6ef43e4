class Item < ApplicationRecord
  def self.in_table(table)
    connection.execute("select count(*) from #{table}")
  end

  def self.titled(title)
    where("title = ?", title)
  end
end
