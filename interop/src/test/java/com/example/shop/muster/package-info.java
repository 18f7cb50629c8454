/** The same application on Muster, as the guide to moving shows it. */
package com.example.shop.muster;
