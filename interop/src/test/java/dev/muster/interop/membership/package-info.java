/** Members of both kinds come, lead, leave, die and are replaced. */
package dev.muster.interop.membership;
