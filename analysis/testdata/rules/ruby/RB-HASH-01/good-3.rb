digest = Digest::SHA256.hexdigest(reset_password_token)
