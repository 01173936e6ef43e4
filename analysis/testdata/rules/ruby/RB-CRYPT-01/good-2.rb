cipher = OpenSSL::Cipher.new('chacha20-poly1305')
cipher.encrypt
