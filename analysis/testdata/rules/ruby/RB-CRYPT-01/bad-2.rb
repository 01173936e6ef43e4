require 'openssl'

def lock(text)
  cipher = OpenSSL::Cipher.new('AES-128-ECB') # ← here
  cipher.encrypt
  cipher.update(text) + cipher.final
end
