const agent = new https.Agent({ rejectUnauthorized: process.env.NODE_ENV === 'production' })
