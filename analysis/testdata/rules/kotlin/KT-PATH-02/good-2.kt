package shop

import java.util.zip.ZipEntry

class Orders {
    fun names(entries: List<ZipEntry>): List<String> = entries.map { it.name }
}
