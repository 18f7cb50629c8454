/** A small application on Pekko, as the guide to moving shows it. */
package com.example.shop.pekko;
