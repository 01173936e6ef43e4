require 'bcrypt'

class User < ApplicationRecord
  has_secure_password

  def password=(password)
    self.password_hash = BCrypt::Password.create(password)
  end
end
