exports.check = (person) => { console.log('has a bvn', person.bvn !== undefined) }
