class Item < ApplicationRecord
  def self.titled(title)
    where("title = '#{title}'") # ← here
  end
end
