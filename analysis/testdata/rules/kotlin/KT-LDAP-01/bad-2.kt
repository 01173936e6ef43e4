package shop

import org.springframework.web.bind.annotation.*
import org.springframework.ldap.core.LdapTemplate

@RestController
class OrdersController(private val ldap: LdapTemplate) {
    @GetMapping("/orders")
    fun show(@RequestParam id: String): String {
        return ldap.search("ou=users", "(cn=" + id + ")", mapper).first() // ← here
    }
}
