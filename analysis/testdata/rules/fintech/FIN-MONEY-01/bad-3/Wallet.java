import jakarta.persistence.Entity;
@Entity
public class Wallet {
  private double balance; // ← here
}
