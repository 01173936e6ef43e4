class User < ApplicationRecord
  def send_code
    update(otp: rand(100_000..999_999)) # ← here
  end
end
