etag = Digest::MD5.hexdigest(body)
key = Digest::SHA256.hexdigest(File.read(path))
