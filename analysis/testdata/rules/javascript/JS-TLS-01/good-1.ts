const agent = new https.Agent({ ca: fs.readFileSync('ca.pem') })
