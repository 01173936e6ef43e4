const name = process.env.REACT_APP_SECRETARY_NAME
