package shop

import jakarta.persistence.Entity

@Entity
class Payment(
    val id: Long,
    val amount: Double, // ← here
)
