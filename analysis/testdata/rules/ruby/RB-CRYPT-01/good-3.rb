cipher = OpenSSL::Cipher.new(Settings.cipher)
