package shop

import org.springframework.web.bind.annotation.*
import javax.xml.xpath.XPath
import org.w3c.dom.Document

@RestController
class OrdersController(private val path: XPath, private val document: Document) {
    @GetMapping("/orders")
    fun show(@RequestParam id: Long): String {
        return path.compile("//order[@id='$id']").evaluate(document)
    }
}
