const agent = new https.Agent({ rejectUnauthorized: true })
