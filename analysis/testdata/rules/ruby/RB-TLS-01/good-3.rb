client = Faraday.new(url: url, ssl: { ca_file: path })
model.save(verify: false)
