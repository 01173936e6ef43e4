token = SecureRandom.hex(32)
otp = SecureRandom.random_number(1_000_000)
