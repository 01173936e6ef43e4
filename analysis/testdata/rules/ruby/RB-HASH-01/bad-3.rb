require 'digest'

stored = Digest::SHA256.hexdigest("#{salt}#{user_password}") # ← here
