class User < ApplicationRecord
  def password=(password)
    self.password_hash = Digest::MD5.hexdigest(password) # ← here
  end
end
