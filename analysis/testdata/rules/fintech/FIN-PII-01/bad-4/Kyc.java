class Kyc {
  void check(Person person) { System.out.println("nin " + person.nin); } // ← here
}
