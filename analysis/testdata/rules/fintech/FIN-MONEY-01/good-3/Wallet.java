import jakarta.persistence.Entity;
@Entity
public class Wallet {
  private java.math.BigDecimal balance;
  private double interestRate;
}
