cipher = OpenSSL::Cipher.new('aes-256-gcm')
