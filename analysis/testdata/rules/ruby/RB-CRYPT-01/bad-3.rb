cipher = OpenSSL::Cipher::Cipher.new('rc4') # ← here
